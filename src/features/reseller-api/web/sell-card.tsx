import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Coins, KeyRound } from 'lucide-react'
import { planPrice, plansForSale } from '#features/resellers/resellers.rules.ts'
import { paths } from '#web/navigation/paths.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import type { AssignedApp } from './assigned-apps.ts'
import {
  affordablePlans,
  daysText,
  levelLine,
  notForSaleText,
  type PlanForSale,
  planText,
  saleStart,
} from './reseller-data.ts'
import { unitSeconds } from '#contract/duration.ts'

interface SellCardProps {
  app: AssignedApp
  /** How many licenses nobody has redeemed; undefined while unknown. */
  unused: number | undefined
  /** Opens the form with this plan, or with the one that the card offers. */
  onSell: (plan?: string) => void
}

/** One tap opens the form, filled in with the last sale or the tapped plan; the next one sells. */
export function SellCard({ app, unused = 0, onSell }: SellCardProps) {
  const plans = plansForSale(app)
  const affordable = affordablePlans(app)
  const notForSale = notForSaleText(app)
  return (
    <Card className="mb-5">
      <Section title={t`Sell licenses`}>
        {notForSale !== undefined ? (
          <p className="text-ui text-text-2">{notForSale}</p>
        ) : (
          <>
            {affordable.length > 0 ? <Sell app={app} onSell={onSell} /> : <WithoutCredits unused={unused} />}
            <div>
              <h3 className="mb-2 text-ui font-medium">{t`Plan durations`}</h3>
              <ul aria-label={t`Plan durations`} className="flex flex-wrap gap-2">
                {plans.map((each) => (
                  <PlanTile key={each.plan} credits={app.credits} offer={each} onSell={onSell} />
                ))}
              </ul>
              {affordable.length > 0 && affordable.length < plans.length && (
                <p className="mt-2 text-ui text-text-2">
                  {t`Your credits don't cover every plan.`}{' '}
                  <Link to={paths.resellerCredits()} className="underline underline-offset-2">
                    {t`How to get more credits`}
                  </Link>
                </p>
              )}
            </div>
          </>
        )}
      </Section>
    </Card>
  )
}

/** Repeats the last sale, or sells the plan that the credits still cover and says what the last one needs. */
function Sell({ app, onSell }: Pick<SellCardProps, 'app' | 'onSell'>) {
  const { plan, subscriptionLevel } = saleStart(app)
  const last = plansForSale(app).find((each) => each.plan === app.lastSale?.plan)
  const length = lengthText(plan)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button size="lg" variant="primary" icon={<KeyRound />} onClick={() => onSell()} className="max-sm:w-full">
        {plan === '' ? t`Sell a license` : t`Sell ${length}`}
      </Button>
      {plan !== '' && (
        <p className="text-ui text-text-2">
          {saleText(levelLine(app, subscriptionLevel), planPrice(app, plan) ?? 0)}
          {last && last.cost > app.credits && <span className="block">{againText(last, app.credits)}</span>}
        </p>
      )}
    </div>
  )
}

/** What can be done instead of a sale. */
const WithoutCredits = ({ unused }: { unused: number }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <Link
      to={paths.resellerCredits()}
      className={buttonStyle({ variant: 'primary', size: 'lg', className: 'max-sm:w-full' })}
    >
      <Coins aria-hidden="true" />
      {t`How to get more credits`}
    </Link>
    <p className="text-ui text-text-2">
      {t`Your credits don't cover any plan.`}
      {unused > 0 && (
        <Link
          to={paths.resellerLicenses()}
          search={{ 'f.redeemed': 'no' }}
          className="block underline underline-offset-2"
        >
          {plural(unused, {
            one: 'Delete the unused license to get its credits back',
            other: 'Delete some of the # unused licenses to get their credits back',
          })}
        </Link>
      )}
    </p>
  </div>
)

const lengthText = (plan: string): string => daysText(Number(plan) * unitSeconds.days)

function againText({ plan, cost }: PlanForSale, credits: number): string {
  const length = lengthText(plan)
  return plural(cost - credits, {
    one: `To sell ${length} again, you need # more credit.`,
    other: `To sell ${length} again, you need # more credits.`,
  })
}

const saleText = (level: string, cost: number): string =>
  plural(cost, { one: `${level} for # credit`, other: `${level} for # credits` })

interface PlanTileProps {
  credits: number
  offer: PlanForSale
  onSell: (plan: string) => void
}

function PlanTile({ credits, offer, onSell }: PlanTileProps) {
  const missing = missingCredits(offer.cost, credits)
  return (
    <li className="flex flex-col gap-1">
      <Button disabledReason={missing} onClick={() => onSell(offer.plan)} className="tabular-nums">
        {planText(offer)}
      </Button>
      {missing && <span className="text-meta text-text-2">{missing}</span>}
    </li>
  )
}

/** Why the credits don't cover a plan; undefined if they do. */
const missingCredits = (cost: number, credits: number): string | undefined =>
  cost > credits
    ? plural(cost - credits, { one: 'You need # more credit.', other: 'You need # more credits.' })
    : undefined
