import { leaveAndFind } from './leave-and-find.mts';

leaveAndFind();
