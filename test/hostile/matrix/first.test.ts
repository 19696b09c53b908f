import { describePart } from './suite';

describePart('first');
