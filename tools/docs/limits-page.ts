import { errorLink } from './error-pages.ts'
import { page, table } from './page.ts'
import { countLimits } from './limits/counts.ts'
import { fieldLimits } from './limits/fields.ts'
import { planLimits } from './limits/plans.ts'
import { rateLimits } from './limits/rates.ts'
import { sizeLimits } from './limits/sizes.ts'

const introduction = `These are the limits of a server with its default settings. A request above a limit changes nothing and gets the code
in the fourth column. If the column is empty, the server leaves out the rest, waits, or stops.

The last column names what changes the limit: names in capitals are
[settings of the server](../operate/settings.md), which its operator sets, and administrators find names in bold in
**System Settings**, or on **Manage Plans**. Limits without a name can't be changed.

A network is one IPv4 address, or the /64 network of an IPv6 address. A KiB is 1,024 bytes, a MiB is 1,024 KiB, and an
MB is a million bytes.`

export function limitsPage(): string {
  const groups = {
    Field: fieldLimits(),
    Rate: rateLimits(),
    Size: sizeLimits(),
    Plan: planLimits(),
    Count: countLimits(),
  }
  const rows = Object.entries(groups).flatMap(([group, limits]) =>
    limits.map(({ what, value, code, setting }) => [group, what, value, code ? errorLink(code) : '', setting ?? '']),
  )
  return page(
    {
      title: 'Limits',
      description: 'Lengths of fields, rates, sizes of requests, the limits of plans, and counts per app in one table.',
    },
    `${introduction}\n\n${table(['Kind', 'What', 'Limit', 'Above it', 'Changed with'], rows)}`,
  )
}
