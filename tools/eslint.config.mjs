// Lint of what is not published: sandbox, tools, tests, benchmark. The published code has n8n's own configuration, and of this
// one what makes it easy to read: air before what is documented, and the errors that leave a function.
import { fileURLToPath } from 'node:url';

import stylistic from '@stylistic/eslint-plugin';
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';

/** A title of one or two words, or with less than two beside the values that a table puts in for `%s` and its like. */
const FRAGMENT = String.raw`/^(?:(?:\S+ )?\S+|(?:[^\s%]?%\S+ ?)*(?:[^\s%]+ ?)?(?:[^\s%]?%\S+ ?)*)$/`;

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
    rules: {
      // Tests read answers of other programs, whose shape the assertions check.
      '@typescript-eslint/no-explicit-any': 'off',
      // Generated inputs are the same in each run, which only this module's fast-check knows.
      'no-restricted-imports': [
        'error',
        { name: 'fast-check', message: 'Import it from test/support/generated.mts.' },
      ],
      'no-restricted-syntax': [
        'error',

        ...['callee.name', 'callee.callee.object.name'].flatMap((test) => [
          {
            selector: `CallExpression[${test}=/^(it|test)$/][arguments.0.value=${FRAGMENT}]`,
            message: 'A title is a sentence: it says what happens, and to what.',
          },
          {
            selector: `CallExpression[${test}=/^(it|test)$/][arguments.0.value=/\\bshould\\b/]`,
            message: 'A title says what happens, not what should.',
          },
        ]),
      ],
    },
  },
  { files: ['test/support/generated.mts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    rules: {
      'max-params': ['error', 4],
    },
  },
  {
    files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'tools/**/*.mts'],
    plugins: { '@stylistic': stylistic, jsdoc },
    languageOptions: { parser: tseslint.parser },
    rules: {
      '@stylistic/lines-around-comment': [
        'error',
        {
          beforeBlockComment: true,
          ...Object.fromEntries(
            ['Array', 'Block', 'Class', 'Enum', 'Interface', 'Module', 'Object', 'Type'].map((place) => [
              `allow${place}Start`,
              true,
            ]),
          ),
        },
      ],
      'jsdoc/require-throws': [
        'error',
        { contexts: ['ExportNamedDeclaration > FunctionDeclaration', 'MethodDefinition'] },
      ],
    },
  },
);
