import { readFileSync } from 'node:fs'
import { defineConfig } from 'oxlint'

/**
 * Who may import whom (ARCHITECTURE.md). An override replaces the rule's options for its files, so each row
 * says everything that it forbids. `safety.test.ts` plants bad imports to prove this awake.
 */
interface Pattern {
  group: string[]
  message: string
}
interface Boundary {
  files: string[]
  except?: string[]
  forbid: Pattern[]
}

const features: Pattern = { group: ['#features/**'], message: 'A kit knows no feature.' }
const server: Pattern = {
  // The version of the clients is that of the server.
  group: ['#server/**', '#database/**', '#protocol/**', '#sdk/**', '!#sdk/version.ts'],
  message: 'The dashboard reaches the server through call() only.',
}
const client: Pattern = { group: ['#sdk/**'], message: "The clients' code is for tests; the server has its own." }
const node: Pattern = { group: ['node:*'], message: 'This runs in a browser.' }
const parents: Pattern = { group: ['../../**'], message: 'Use a # import.' }
/** Everything but these. */
const only = (allowed: string[], message: string): Pattern => ({
  group: ['*', '*/**', '#*/**', './**', '../**', ...allowed.map((each) => `!${each}`)],
  message,
})

/** The TypeScript client's, which look up Node's modules where there are any. */
const nodeParts = ['node', 'node-connection', 'node-transport', 'network-options', 'download'].map(
  (name) => `sdks/typescript/src/${name}.ts`,
)

const kits: Boundary[] = [
  { files: ['src/contract/**'], forbid: [only(['typebox', './*.ts'], 'The contract kit stands on TypeBox alone.')] },
  {
    files: ['src/protocol/**'],
    forbid: [only(['node:crypto', './*.ts'], 'The protocol kit stands on cryptography alone.')],
  },
  {
    files: ['sdks/typescript/**'],
    except: nodeParts,
    forbid: [only(['./*.ts'], 'A client has no dependency, least of all on the server, and runs in browsers too.')],
  },
  {
    files: nodeParts,
    forbid: [only(['node:*', 'node:*/*', './*.ts'], 'A client has no dependency, least of all on the server.')],
  },
  {
    files: ['sdks/cli/src/**'],
    forbid: [only(['node:*', 'node:*/*', './*.ts'], 'The command line has no dependency, least of all on the server.')],
  },
  {
    files: ['src/database/**'],
    forbid: [features, client, { group: ['#server/**', '#web/**', '#operating/**'], message: 'A lower kit.' }],
  },
  {
    files: ['src/server/**'],
    forbid: [
      features,
      client,
      { group: ['#web/**', '#operating/**'], message: 'The server renders nothing, and commands stand above it.' },
    ],
  },
  {
    files: ['src/operating/**'],
    forbid: [
      client,
      {
        group: [
          'fastify',
          '#web/**',
          '#server/http/**',
          ...['api/**', 'web/**', '*.writes.ts', '*.table.ts'].map((each) => `#features/*/${each}`),
        ],
        message: 'Commands know databases, files and what features offer, no requests and no screens.',
      },
    ],
  },
  {
    files: ['src/web/**'],
    // What puts the features together.
    except: ['src/web/routes/**'],
    forbid: [features, server, node],
  },
]

/** The roles of a feature's files. A later row replaces an earlier one for the files that both name. */
const roles: { files: string; forbid: Pattern[] }[] = [
  {
    files: '*.ts',
    forbid: [
      parents,
      client,
      {
        group: ['#features/*/api/**', '#features/*/web/**', '#features/*/*.writes.ts', '#features/*/*.table.ts'],
        message: 'Of other features: their actions, reads, rules, replies, errors and contract.',
      },
    ],
  },
  {
    files: 'api/**',
    forbid: [
      parents,
      client,
      {
        group: ['kysely', '../*.writes.ts', '../*.table.ts', '#features/*/*.writes.ts', '#features/*/*.table.ts'],
        message: 'Endpoints know no SQL.',
      },
      { group: ['#features/*/api/**', '#features/*/web/**'], message: 'Endpoints share actions, not each other.' },
    ],
  },
  {
    files: 'web/**',
    forbid: [
      server,
      node,
      parents,
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
    files: '*.rules.ts',
    forbid: [
      only(
        ['#contract/*.ts', './*.rules.ts', './*.errors.ts', '#features/*/*.rules.ts'],
        'Rules are pure: nothing but rules and the contract kit.',
      ),
    ],
  },
  {
    files: '*.errors.ts',
    forbid: [only(['#contract/*.ts', '#features/*/*.errors.ts'], 'Errors are texts and nothing else.')],
  },
  {
    files: '*.contract.ts',
    forbid: [
      only(
        [
          'typebox',
          '#contract/*.ts',
          './*.contract.ts',
          './*.errors.ts',
          './*.rules.ts',
          '#features/*/*.contract.ts',
          '#features/*/*.errors.ts',
          '#features/*/*.rules.ts',
        ],
        'A contract stands on TypeBox and the contract kit.',
      ),
    ],
  },
  ...['*.reads.ts', '*.writes.ts'].map((files) => ({
    files,
    forbid: [
      only(
        [
          'kysely',
          '#database/*.ts',
          '#contract/*.ts',
          './*.table.ts',
          './*.reads.ts',
          './*.rules.ts',
          '#features/*/*.reads.ts',
          '#features/*/*.rules.ts',
        ],
        'Queries know tables and the database kit.',
      ),
    ],
  })),
  {
    files: '*.actions.ts',
    forbid: [
      parents,
      client,
      { group: ['./api/**', './web/**', 'fastify', 'react'], message: 'Actions know no HTTP and no screens.' },
      {
        group: ['#features/*/api/**', '#features/*/web/**', '#features/*/*.writes.ts', '#features/*/*.table.ts'],
        message: 'Of other features: their actions, reads and rules.',
      },
    ],
  },
]

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The order of the house: `features.ts` lists each feature after those that it imports from. */
const order = [...readFileSync(new URL('src/features.ts', import.meta.url), 'utf8').matchAll(/^ {2}(\w+),$/gm)].map(
  ([, name]) => kebab(name as string),
)

const inOrder = order.flatMap((feature, index): Boundary[] => {
  const later = order.slice(index + 1).map((name) => `#features/${name}/**`)
  const message = `${feature} stands before these in features.ts.`
  return roles.map(({ files, forbid }) => ({
    files: [`src/features/${feature}/${files}`],
    forbid: [
      // What a pattern allows by `!` no other pattern can refuse: there the later features stand at its end.
      ...forbid.map((pattern) =>
        pattern.group.some((each) => each.startsWith('!'))
          ? { group: [...pattern.group, ...later], message: `${pattern.message} And ${message}` }
          : pattern,
      ),
      ...(later.length > 0 ? [{ group: later, message }] : []),
    ],
  }))
})

/** A folder that features.ts doesn't list yet, such as one that a test plants. */
const unlisted = roles.map(({ files, forbid }): Boundary => ({ files: [`src/features/*/${files}`], forbid }))

const boundaries: Boundary[] = [...kits, ...unlisted, ...inOrder]

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
    // Dialogs and menus are given as functions that render them.
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    // Some tests expect through a helper, for a row of cases, or with a message.
    'vitest/expect-expect': 'off',
    'jest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/valid-expect': 'off',
    // The authorisation test makes its cases from the contracts.
    'vitest/no-conditional-tests': 'off',
  },
  overrides: [
    {
      files: ['**/*.config.ts', 'testing/servers/{postgres-server,report-worker}.ts', 'tools/stalled-tests.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
    { files: ['tools/**', 'bench/**', 'src/main.ts'], rules: { 'no-console': 'off' } },
    ...boundaries.map(({ files, except, forbid }) => ({
      files,
      excludeFiles: [...(except ?? []), '**/*.test.ts', '**/*.e2e.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns: forbid }] as ['error', object] },
    })),
  ],
})
