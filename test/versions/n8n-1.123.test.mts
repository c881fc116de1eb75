import { checkOn } from '../support/on-version.mts';

checkOn('1.123');
