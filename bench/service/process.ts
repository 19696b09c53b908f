/** The stand-in of the service, without its rate limit until it is switched on. */
import { startSandbox } from '../../test/sandbox';
import { serve } from '../processes/remote';
import { serviceFunctions } from './functions';

void startSandbox().then((sandbox) => serve(serviceFunctions(sandbox)));
