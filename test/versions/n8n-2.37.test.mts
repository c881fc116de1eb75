import { checkOn, startOf } from '../support/on-version.mts';

checkOn('2.37', async () => await startOf('2.37'));
