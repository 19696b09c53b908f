import { serve } from '../processes/remote';
import { triggerFunctions } from './functions';

serve(triggerFunctions);
