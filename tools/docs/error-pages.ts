import { commonErrors } from '#contract/common-errors.ts'
import { type ErrorDefinition, plainText } from '#contract/errors.ts'
import {
  clientEntry,
  dashboardError,
  type DashboardCall,
  everyCode,
  hasPage,
  nameOfCall,
  type PageError,
  programError,
  requireDeclared,
  requireDeclaredByDashboard,
  sellerCallOf,
  sellerError,
  type SharedDashboardError,
} from './error-codes.ts'
import { dashboardRemedies, programRemedies, sellerRemedies } from './error-remedies/every-remedy.ts'
import * as programCalls from './error-remedies/program-calls.ts'
import * as sellerCalls from './error-remedies/seller-calls.ts'
import { sharedDashboardCalls } from './error-remedies/shared-dashboard-calls.ts'
import { exactText, firstSentence, page, table } from './page.ts'

/** docs/reference/errors: a page for each code that a program or a seller's integration meets, and the table of all. */

const dashboardPage = 'dashboard.md'
const slugOf = (code: string): string => code.toLowerCase().replaceAll('_', '-')
/** The file of a code within docs/reference/errors, with an anchor on the page of the dashboard. */
export const fileOf = (code: string): string =>
  hasPage(code) ? `${slugOf(code)}.md` : `${dashboardPage}#${code.toLowerCase()}`
const linkTo = (code: string): string => `[\`${code}\`](${fileOf(code)})`

const known = new Set(everyCode)

/** Codes that a text names become links, except to its own page. */
const linked = (text: string, own: string): string =>
  text.replaceAll(/`([A-Z][A-Z0-9_]+)`/g, (whole, code: string) =>
    code !== own && known.has(code) ? linkTo(code) : whole,
  )

const verdicts = {
  lost: 'A signed-in session ends, and the program is told once.',
  request: 'The answer is about this request. The session goes on, unless a heartbeat or a renewal got it.',
  temporary: 'It says nothing about the license. A signed-in program goes on for its grace period and asks again.',
  unverified:
    'It says nothing about the license, because nobody knows who answered. A signed-in program goes on for its grace period.',
} as const

interface Answer {
  by: string
  status: string
  text: string
}

const answerOf = (by: string, { status, message }: ErrorDefinition): Answer => ({
  by,
  status: String(status),
  text: exactText(plainText(message)),
})

/** What each API answers; those with the same status and text together. */
function answersOf(code: string): Answer[] {
  const [program, seller, dashboard] = [programError(code), sellerError(code), dashboardError(code)]
  const sentence = clientEntry(code)?.message.en
  const answers = [
    ...(program ? [answerOf('programs', program)] : []),
    ...(sentence !== undefined && !program ? [{ by: 'clients', status: 'none', text: sentence }] : []),
    ...(seller ? [answerOf('seller API', seller)] : []),
    ...(dashboard && isAnsweredByDashboard(code) ? [answerOf('dashboard', dashboard)] : []),
  ]
  const merged = new Map<string, Answer>()
  for (const answer of answers) {
    const key = `${answer.status} ${answer.text}`
    const same = merged.get(key)
    merged.set(key, same ? { ...same, by: `${same.by}, ${answer.by}` } : answer)
  }
  return [...merged.values()]
}

const isCommon = (code: string): boolean => Object.hasOwn(commonErrors, code)
const sharedCallsOf = (code: string): readonly DashboardCall[] =>
  Object.hasOwn(sharedDashboardCalls, code) ? sharedDashboardCalls[code as SharedDashboardError] : []
const isAnsweredByDashboard = (code: string): boolean =>
  !hasPage(code) || isCommon(code) || sharedCallsOf(code).length > 0

const codeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
const uniqueNames = <C extends string>(names: readonly C[]): C[] => [...new Set(names)]

/** Groups of calls that have a name. */
const groups = new Map<readonly string[], string>([
  [programCalls.everyCall, 'every call'],
  [programCalls.callsWithSession, 'every call except `init`'],
  [programCalls.callsWithFields, 'every call with fields'],
  [sellerCalls.everyCall, 'every call'],
  [sellerCalls.callsWithBody, 'every call with a body'],
  [sellerCalls.callsWithFields, 'every call with fields, or with a name in its path'],
  [sellerCalls.callsOnLicense, 'every call on one license'],
  [sellerCalls.callsOnUser, 'every call on one user'],
])

/** The calls in the order of the API. */
const sortedBy = <C extends string>(order: readonly C[], calls: readonly C[]): C[] =>
  order.filter((call) => calls.includes(call))

function programSection(code: string, { calls, cause, remedy }: programCalls.ProgramRemedy): string {
  const { verdict, message } = clientEntry(code) ?? {}
  const by =
    calls.length === 0
      ? '**Raised by:** the client itself; the server never sends it.'
      : `**Answered by:** ${groups.get(calls) ?? codeList(sortedBy(programCalls.everyCall, calls))}`
  return `## In a program

**Cause:** ${linked(cause, code)}

**What to do:** ${linked(remedy, code)}

- ${by}
- **A customer reads:** “${message?.en}”
- **The client:** ${verdict && verdicts[verdict]}`
}

function sellerSection(code: string, { calls, cause, remedy }: sellerCalls.SellerRemedy): string {
  for (const call of calls) requireDeclared(call, sellerCallOf(call), code)
  const names = sortedBy(sellerCalls.everyCall, calls).map((call) => nameOfCall(sellerCallOf(call)))
  const by = groups.get(calls) ?? codeList(names)
  const answered = calls.length === 0 ? '' : `\n\n- **Answered by:** ${by}`
  return `## In the seller API

**Cause:** ${linked(cause, code)}

**What to do:** ${linked(remedy, code)}${answered}`
}

function dashboardSection(code: string): string {
  const calls = sharedCallsOf(code)
  for (const call of calls) requireDeclaredByDashboard(call, code)
  const by = isCommon(code) ? 'calls of any kind' : codeList(uniqueNames(calls))
  return `## In the dashboard

- **Answered by:** ${by}`
}

function errorPage(code: PageError): string {
  const program = Object.hasOwn(programRemedies, code)
    ? programRemedies[code as keyof typeof programRemedies]
    : undefined
  const seller = Object.hasOwn(sellerRemedies, code) ? sellerRemedies[code as keyof typeof sellerRemedies] : undefined
  const cause = (program ?? seller)?.cause ?? ''
  const sections = [
    table(
      ['Answered to', 'Status', 'Text'],
      answersOf(code).map(({ by, status, text }) => [by, status, text]),
    ),
    ...(program ? [programSection(code, program)] : []),
    ...(seller ? [sellerSection(code, seller)] : []),
    ...(isAnsweredByDashboard(code) ? [dashboardSection(code)] : []),
    '[All error codes](index.md)',
  ]
  return page({ title: code, description: firstSentence(cause) }, sections.join('\n\n'))
}

function dashboardOnlyPage(): string {
  const sections = Object.entries(dashboardRemedies)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { calls, cause, remedy }]) => {
      if (calls !== 'any call') for (const call of calls) requireDeclaredByDashboard(call, code)
      const by = calls === 'any call' ? 'calls of any kind' : codeList(uniqueNames(calls))
      const [answer] = answersOf(code)
      return `## ${code}

${answer?.status}: ${answer?.text}

**Cause:** ${linked(cause, code)}

**What to do:** ${linked(remedy, code)}

**Answered by:** ${by}`
    })
  const introduction = `You meet these codes only in the dashboard, in the reseller area, or when you call the dashboard's API yourself.
Words in braces are filled in by the server. [All error codes](index.md) has the codes of programs and of the seller API
too.`
  return page(
    {
      title: 'Error codes of the dashboard',
      description: 'Cause and remedy of each error code that only the dashboard answers.',
    },
    [introduction, ...sections].join('\n\n'),
  )
}

function tableOfAll(): string {
  const rows = everyCode.map((code) => {
    const answers = answersOf(code)
    const joined = (key: keyof Answer) => [...new Set(answers.map((answer) => answer[key]))].join(' / ')
    return [linkTo(code), joined('status'), joined('text'), joined('by').replaceAll(' / ', ', ')]
  })
  const introduction = `Every failed call answers with a code that never changes its meaning and a text for people:

\`\`\`json
{ "success": false, "message": "This license is banned", "code": "LICENSE_BANNED", "requestId": "…" }
\`\`\`

Choose by the code in your own code, never by the text. \`requestId\` finds the call in the server's log. Words in braces
are filled in by the server. A status or text with a slash differs between the APIs. Codes with the status *none* are
raised by the clients, and their text is the sentence for customers.

On the pages of the codes, *you* are the person who sells or develops the program, and a *customer* is a person who uses
it.`
  return page(
    {
      title: 'Error codes',
      description: 'All error codes that programs, the seller API, and the dashboard can answer, with status and text.',
    },
    `${introduction}\n\n${table(['Code', 'Status', 'Text', 'Answered to'], rows)}`,
  )
}

/** Paths within docs/reference and contents. */
export const errorPages = (): Record<string, string> => ({
  'errors/index.md': tableOfAll(),
  [`errors/${dashboardPage}`]: dashboardOnlyPage(),
  ...Object.fromEntries(everyCode.filter(hasPage).map((code) => [`errors/${slugOf(code)}.md`, errorPage(code)])),
})

/** A link to a code from a page beside the folder of errors. */
export const errorLink = (code: string): string => `[\`${code}\`](errors/${fileOf(code)})`
