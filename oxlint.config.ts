import { defineConfig } from 'oxlint'

/**
 * CallAccess may import whom (ARCHITECTURE.md). An override replaces the rule's options for its files, so
 * each row says everything that it forbids. `safety.test.ts` plants bad imports to prove this awake.
 */
interface Boundary {
  files: string[]
  except?: string[]
  forbid: { group: string[]; message: string }[]
}

const features = { group: ['#features/**'], message: 'A kit knows no feature.' }
const server = {
  group: ['#server/**', '#database/**', '#protocol/**'],
  message: 'The dashboard reaches the server through call() only.',
}
const node = { group: ['node:*'], message: 'This runs in a browser.' }
const upward = { group: ['../../**'], message: 'Use a # import.' }
const featureInterface = {
  group: [
    '#features/*/**',
    '!#features/*/*.actions.ts',
    '!#features/*/*.reply.ts',
    '!#features/*/*.rules.ts',
    '!#features/*/*.contract.ts',
  ],
  message: 'Of other features: their actions, replies, rules and contract.',
}
/** Everything but these. */
const only = (allowed: string[], message: string) => ({
  group: ['*', '*/**', '#*/**', './**', '../**', ...allowed.map((each) => `!${each}`)],
  message,
})

const boundaries: Boundary[] = [
  { files: ['src/contract/**'], forbid: [only(['typebox', './*.ts'], 'The contract kit stands on TypeBox alone.')] },
  {
    files: ['src/protocol/**'],
    forbid: [only(['node:crypto', './*.ts'], 'The protocol kit stands on cryptography alone.')],
  },
  { files: ['src/database/**'], forbid: [features, { group: ['#server/**', '#web/**'], message: 'A lower kit.' }] },
  { files: ['src/server/**'], forbid: [features, { group: ['#web/**'], message: 'The server renders nothing.' }] },
  { files: ['src/web/**'], except: ['src/web/routes.tsx'], forbid: [features, server, node] },
  { files: ['src/features/*/api/**', 'src/features/*/*.ts'], forbid: [featureInterface, upward] },
  {
    files: ['src/features/*/web/**'],
    forbid: [
      server,
      node,
      upward,
      {
        group: [
          '#features/*/**',
          '../**',
          '!#features/*/*.rules.ts',
          '!#features/*/web/*',
          '!../*.rules.ts',
          '!../*.contract.ts',
          '!#features/*/*.contract.ts',
        ],
        message: 'A screen imports rules, and types of contracts.',
      },
    ],
  },
  {
    files: ['src/features/*/*.rules.ts'],
    forbid: [
      only(
        ['#contract/*.ts', './*.rules.ts', './*.refusals.ts'],
        'Rules are pure: nothing but rules and the contract kit.',
      ),
    ],
  },
  {
    files: ['src/features/*/*.contract.ts'],
    forbid: [
      only(
        [
          'typebox',
          '#contract/*.ts',
          './*.contract.ts',
          './*.refusals.ts',
          './*.rules.ts',
          '#features/*/*.contract.ts',
          '#features/*/*.rules.ts',
        ],
        'A contract stands on TypeBox and the contract kit.',
      ),
    ],
  },
  {
    files: ['src/features/*/*.queries.ts'],
    forbid: [
      only(
        [
          'kysely',
          '#database/*.ts',
          '#contract/*.ts',
          './*.table.ts',
          './*.search.ts',
          './*.queries.ts',
          './*.rules.ts',
        ],
        'Queries know their own table and the database kit.',
      ),
    ],
  },
  {
    files: ['src/features/*/*.actions.ts'],
    forbid: [
      featureInterface,
      upward,
      { group: ['./api/**', './web/**', 'fastify', 'react'], message: 'Actions know no HTTP and no screens.' },
    ],
  },
]

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'vitest', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['dist', 'sdks/python', 'src/web/locales', 'src/web/public'],
  rules: {
    'no-var': 'error',
    eqeqeq: 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'oxc/no-barrel-file': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'max-lines': ['error', { max: 400 }],
    'no-console': 'error',
    // Lists are short, and a loop with one await each keeps their order.
    'no-await-in-loop': 'off',
    'unicorn/no-array-sort': 'off',
    'react/react-in-jsx-scope': 'off',
    'import/no-unassigned-import': 'off',
    'no-shadow': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    // axe judges the rendered page; these judge the source and don't know our components.
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/no-autofocus': 'off',
    'jsx-a11y/no-static-element-interactions': 'off',
    'jsx-a11y/no-noninteractive-element-interactions': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    'jsx-a11y/label-has-associated-control': 'off',
    'jsx-a11y/control-has-associated-label': 'off',
    'jsx-a11y/interactive-supports-focus': 'off',
    'jsx-a11y/role-has-required-aria-props': 'off',
    'jsx-a11y/anchor-is-valid': 'off',
    'react/set-state-in-effect': 'off',
    'react/exhaustive-effect-dependencies': 'off',
    'react/purity': 'off',
    // Some tests expect through a helper, for a row of cases, or with a message.
    'vitest/expect-expect': 'off',
    'jest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/valid-expect': 'off',
    // The authorisation test makes its cases from the contracts.
    'vitest/no-conditional-tests': 'off',
  },
  overrides: [
    { files: ['**/*.config.ts', 'testing/postgres-server.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['tools/**', 'bench/**', 'src/main.ts'], rules: { 'no-console': 'off' } },
    ...boundaries.map(({ files, except, forbid }) => ({
      files,
      excludeFiles: [...(except ?? []), '**/*.test.ts', '**/*.e2e.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns: forbid }] as ['error', object] },
    })),
  ],
})
