// Lint of what is not published: sandbox, tools, tests, benchmark. The published code has n8n's own configuration.
import { fileURLToPath } from 'node:url';

import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    files: ['**/*.mts'],
    ignores: ['**/node_modules/**', 'dist/**'],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      parserOptions: {
        project: './test/tsconfig.json',
        tsconfigRootDir: fileURLToPath(new URL('..', import.meta.url)),
      },
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
  },
  {
    files: ['test/**/*.mts'],
    // Tests read answers of other programs, whose shape the assertions check.
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
);
