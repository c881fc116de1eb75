module.exports = {
  semi: true,
  trailingComma: 'all',
  bracketSpacing: true,
  useTabs: false,
  tabWidth: 2,
  singleQuote: true,
  arrowParens: 'always',
  endOfLine: 'lf',
  printWidth: 110,
};
