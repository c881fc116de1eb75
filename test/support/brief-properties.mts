/** Generated properties take little time each: mutation testing runs them for each mutant. */
import fc from './generated.mts';

fc.configureGlobal({ interruptAfterTimeLimit: 200 });
