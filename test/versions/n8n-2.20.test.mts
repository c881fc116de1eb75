import { checkOn, startOf } from '../support/on-version.mts';

checkOn('2.20', async () => await startOf('2.20'));
