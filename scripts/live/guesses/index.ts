/** Every open question about the live service: the one list, for docs/live-checks.md and `npm run live`. */
import { AREAS, type Guess } from '../guess';
import { auditLogGuesses } from './auditLog';
import { catalogGuesses } from './catalogs';
import { fileGuesses } from './files';
import { jobRunGuesses } from './jobRuns';
import { logGuesses } from './logs';
import { ownJobRunGuesses } from './ownJobRun';
import { requestGuesses } from './requests';
import { sqlSessionGuesses } from './sqlSession';
import { sqlStatementGuesses } from './sqlStatements';
import { taskGuesses } from './tasks';
import { usageGuesses } from './usage';

const all = [
	...requestGuesses,
	...jobRunGuesses,
	...ownJobRunGuesses,
	...logGuesses,
	...usageGuesses,
	...fileGuesses,
	...catalogGuesses,
	...auditLogGuesses,
	...taskGuesses,
	...sqlSessionGuesses,
	...sqlStatementGuesses,
];

/** By area, in the order of the areas. */
export const guesses: Guess[] = AREAS.flatMap((area) => all.filter((guess) => guess.area === area));
