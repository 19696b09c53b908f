import { describePart } from './suite';

describePart('second');
