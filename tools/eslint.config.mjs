// Lint of what is not published: sandbox, tools, tests, benchmark. The published code has n8n's own configuration.
import tseslint from 'typescript-eslint';

export default tseslint.config({
  files: ['**/*.mts'],
  ignores: ['**/node_modules/**', '.tmp/**', 'dist/**'],
  extends: [tseslint.configs.recommended],
  languageOptions: {
    parserOptions: { project: './test/tsconfig.json', tsconfigRootDir: new URL('..', import.meta.url).pathname },
  },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    '@typescript-eslint/no-require-imports': 'off',
    // A leading underscore says that a value is left out on purpose.
    '@typescript-eslint/no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
    ],
  },
});
