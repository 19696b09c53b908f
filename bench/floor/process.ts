import { serve } from '../processes/remote';
import { floorFunctions } from './functions';

serve(floorFunctions);
