import { checkOn } from '../support/on-version.mts';

checkOn('2.0');
