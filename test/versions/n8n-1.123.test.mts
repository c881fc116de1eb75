import { checkOn, startOf } from '../support/on-version.mts';

checkOn('1.123', async () => await startOf('1.123'));
