import { describePart } from './suite';

describePart('third');
