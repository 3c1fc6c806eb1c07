import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { chartColors } from '#web/charts/chart-colors.ts'
import { shareText } from '#web/charts/percent.ts'
import { paths } from '#web/navigation/paths.ts'
import { priceText } from '#web/ui/price-text.ts'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import type { PlanCount } from './admin-data.ts'
import { ownersOfPlan } from './dashboard-links.ts'

const paidColors = [chartColors.green, chartColors.blue, chartColors.amber, chartColors.rose, chartColors.teal]
const freeColor = 'var(--color-line-strong)'
const head = 'pb-2 text-meta font-medium text-text-2'
const number = 'py-2 text-right tabular-nums'

/** The owners of each plan as one bar, and what the plans bring in a month. */
export function PlanDistribution({ plans }: { plans: readonly PlanCount[] }) {
  const owners = plans.reduce((sum, { count }) => sum + count, 0)
  const revenue = plans.reduce((sum, { price, count }) => sum + price * count, 0)
  const isSold = plans.some(({ price }) => price > 0)
  const paid = plans.filter(({ price }) => price > 0)
  const colorOf = (plan: PlanCount) =>
    plan.price > 0 ? (paidColors[paid.indexOf(plan) % paidColors.length] as string) : freeColor
  const monthly = priceText(revenue)
  return (
    <Card>
      <Section
        title={t`Plan Distribution`}
        description={
          isSold ? (
            <Trans>
              <Link
                to={paths.adminPlans()}
                className="font-medium text-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
              >
                {monthly} a month
              </Link>{' '}
              at list prices.
            </Trans>
          ) : (
            t`Number of owners on each plan.`
          )
        }
      >
        <div aria-hidden="true" className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-surface-3">
          {plans.map((plan) => (
            <span
              key={plan.name}
              title={plan.displayName}
              className="keep-color min-w-0"
              style={{ flexGrow: plan.count, backgroundColor: colorOf(plan) }}
            />
          ))}
        </div>
        <table aria-label={t`Plan Distribution`} className="w-full text-ui">
          <thead>
            <tr>
              <th scope="col" className={`${head} text-left`}>{t`Plan`}</th>
              <th scope="col" className={`${head} text-right`}>{t`Owners`}</th>
              <th scope="col" className={`${head} text-right`}>{t`Share`}</th>
              {isSold && <th scope="col" className={`${head} text-right`}>{t`Revenue per month`}</th>}
            </tr>
          </thead>
          <tbody className="ruled border-t border-line">
            {plans.map((plan) => (
              <tr key={plan.name}>
                <th scope="row" className="py-2 text-left font-normal">
                  <span className="flex min-w-0 items-center gap-2">
                    <span
                      aria-hidden="true"
                      className="keep-color size-2 shrink-0 rounded-full"
                      style={{ backgroundColor: colorOf(plan) }}
                    />
                    <span className="break-words" translate="no">
                      {plan.displayName}
                    </span>
                  </span>
                </th>
                <td className={number}>
                  <OwnersLink plan={plan} />
                </td>
                <td className={`${number} text-text-2`}>{shareText(plan.count, owners, i18n.locale)}</td>
                {isSold && <td className={`${number} text-text-2`}>{priceText(plan.price * plan.count)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </Card>
  )
}

/** The count leads to the owners of the plan. */
function OwnersLink({ plan: { name: plan, displayName: name, count } }: { plan: PlanCount }) {
  const shown = count.toLocaleString(i18n.locale)
  if (count === 0) return <span className="inline-flex min-h-6 items-center text-text-2">{shown}</span>
  const { to, search } = ownersOfPlan(plan)
  return (
    <Link
      to={to}
      search={search}
      aria-label={t`${name}: ${shown}`}
      className="inline-flex min-h-6 items-center underline decoration-line-strong underline-offset-2 hover:decoration-current pointer-coarse:min-h-11"
    >
      {shown}
    </Link>
  )
}
