/** Less time for each generated property: the tests run for each mutant. */
import fc from 'fast-check';

fc.configureGlobal({ interruptAfterTimeLimit: 200 });
