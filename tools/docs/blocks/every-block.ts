import { quickStartPages } from '../quick-starts.ts'
import {
  cmakeProblems,
  cppProblems,
  csharpProblems,
  foreignFunctionProblems,
  pythonProblems,
  typescriptProblems,
} from './client-programs.ts'
import { shellProblems } from './command-checks.ts'
import { caddyProblems, jsonProblems, nginxProblems, unitProblems, yamlProblems } from './data-checks.ts'
import { type Block, type Check, textOf } from './page-blocks.ts'
import { dashboardProblems } from './dashboard-names.ts'
import { chatProblems, cronProblems, listenProblems, protocolProblems, treeProblems } from './text-checks.ts'

/** Which test keeps a block of the documentation true. */

interface Owner {
  /** The test, and a text in it by which it reads the pages. */
  test: string
  reads: string
  has: (block: Block) => boolean
}

const isProgram = ({ language }: Block) => !['sh', 'bash', 'json'].includes(language)
const follows = ({ previous, isNext }: Block, language: string) => isNext && previous?.language === language
const quickStarts = new Set(Object.keys(quickStartPages()))

/** Blocks that other tests run, or that are written from the code. */
export const otherTests: readonly Owner[] = [
  {
    test: 'tools/docs/documentation.test.ts',
    reads: 'runBlocksOf(page',
    has: ({ page, info, previous, isNext }) =>
      page.startsWith('docs/') &&
      (/^(?:python|ts|sh) run$/.test(info) ||
        (/^\w+ output$/.test(info) && isNext && previous !== undefined && previous.info.endsWith(' run'))),
  },
  {
    test: 'src/features/seller-api/documentation.test.ts',
    reads: 'docs/seller-api.md',
    has: (block) =>
      block.page === 'docs/seller-api.md' &&
      (block.language === 'sh' || (/^(?:json|text)$/.test(block.language) && follows(block, 'sh'))),
  },
  {
    test: 'src/server/http/open-api/generated-clients.test.ts',
    reads: "split('## Generate a client')",
    has: ({ page, language }) => page === 'docs/seller-api.md' && language === 'ts',
  },
  {
    test: 'tools/docs/quick-starts.test.ts',
    reads: 'outdatedQuickStarts()',
    has: (block) => quickStarts.has(block.page) && isProgram(block),
  },
  {
    test: 'tools/docs/reference.test.ts',
    reads: 'outdatedPages(pages)',
    has: ({ page }) => /^docs\/reference\/(?:errors\/[\w-]+|limits|webhook-events)\.md$/.test(page),
  },
]

interface Special {
  page: string
  /** How the block begins. */
  starts: string
}

export const specialChecks: readonly (Special & { check: Check })[] = [
  { page: 'docs/operate/backup-and-restore.md', starts: '0 3 * * *', check: cronProblems },
  { page: 'docs/guides/webhooks.md', starts: 'Secret  ', check: listenProblems },
  { page: 'docs/guides/webhooks.md', starts: 'License banned: ', check: chatProblems },
  { page: 'ARCHITECTURE.md', starts: 'src/main.ts', check: treeProblems },
]

/** Blocks that no test checks. */
export const exceptions: readonly (Special & { reason: string })[] = [
  {
    page: 'docs/operate/monitoring.md',
    starts: 'create extension amcheck;',
    reason: 'PostgreSQL defines these statements, and nothing in them is a name of Signet but its role',
  },
  {
    page: 'docs/operate/postgresql.md',
    starts: 'alter system set synchronous_standby_names',
    reason: 'PostgreSQL defines these statements, and nothing in them is a name of Signet',
  },
]

const checksByLanguage: Record<string, Check> = {
  sh: shellProblems,
  bash: shellProblems,
  json: jsonProblems,
  yaml: yamlProblems,
  ini: unitProblems,
  nginx: nginxProblems,
  caddy: caddyProblems,
  csharp: csharpProblems,
  cpp: (block) => cppProblems(block) ?? [],
  cmake: cmakeProblems,
  rust: foreignFunctionProblems,
  delphi: foreignFunctionProblems,
}

/** Checked together, because each costs a process. */
const compilers: Record<string, (blocks: readonly Block[]) => string[]> = {
  python: pythonProblems,
  ts: typescriptProblems,
  js: typescriptProblems,
}

const dashboardPage = 'src/web/README.md'

const isSpecial =
  ({ page, text }: Block) =>
  (special: Special) =>
    special.page === page && text.startsWith(special.starts)

function checkOf(block: Block): Check | undefined {
  if (block.page === dashboardPage) return dashboardProblems
  const special = specialChecks.find(isSpecial(block))
  if (special) return special.check
  return block.page === 'docs/protocol.md' && block.info === '' ? protocolProblems : checksByLanguage[block.language]
}

function problemsOfOne(block: Block): string[] {
  const { place, info } = block
  if (otherTests.some(({ has }) => has(block)) || exceptions.some(isSpecial(block))) return []
  if (/ (?:run|output)$/.test(info))
    return [`${place}: no test runs a block on this page, or the output follows no block`]
  if (isCompiled(block)) return []
  const check = checkOf(block)
  if (!check) return [`${place}: nothing checks a block of "${info}": add a check to tools/docs/blocks`]
  return check(block).map((problem) => `${place}: ${problem}`)
}

/** Problems of all blocks, each with its page and line. */
export function problemsOf(blocks: readonly Block[]): string[] {
  const ofCompilers = [...new Set(Object.values(compilers))].flatMap((compile) => {
    const own = blocks.filter((block) => isCompiled(block) && compilers[block.language] === compile)
    return own.length > 0 ? compile(own) : []
  })
  return [...blocks.flatMap(problemsOfOne), ...ofCompilers]
}

/** The types of the programs in docs/seller-api.md are made by a generator; the blocks of the dashboard are parts. */
const isCompiled = ({ page, language }: Block): boolean =>
  compilers[language] !== undefined && page !== dashboardPage && !(page === 'docs/seller-api.md' && language === 'ts')

/** Other tests and exceptions that no longer fit anything. */
export function leftOver(blocks: readonly Block[]): string[] {
  const specials = [...specialChecks, ...exceptions].filter((each) => !blocks.some((block) => isSpecial(block)(each)))
  const tests = otherTests.filter(({ test, reads, has }) => !blocks.some(has) || !textOf(test).includes(reads))
  return [...specials.map(({ page, starts }) => `${page}: ${starts}`), ...tests.map(({ test }) => test)]
}
