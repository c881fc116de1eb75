import { checkOn, startOf } from '../support/on-version.mts';

checkOn('2.0', async () => await startOf('2.0'));
