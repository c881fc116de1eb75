import { packSources } from '../../tools/package.mts';

/** Has the tests of a layer find the package as the sources are now. */
export default packSources;
