import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { planPrice, plansForSale } from '#features/resellers/resellers.rules.ts'
import { paths } from '#web/navigation/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import type { AssignedApp } from './assigned-apps.ts'
import { daysText, levelLine, notForSaleText, type PlanForSale, planText, saleStart } from './reseller-data.ts'
import { unitSeconds } from '#contract/duration.ts'

interface SellCardProps {
  app: AssignedApp
  /** Opens the form with this plan, or with what was sold last. */
  onSell: (plan?: string) => void
}

/** One tap opens the form, filled in with the last sale or the tapped plan; the next one sells. */
export function SellCard({ app, onSell }: SellCardProps) {
  const plans = plansForSale(app)
  const isShort = plans.some(({ cost }) => cost > app.credits)
  const notForSale = notForSaleText(app)
  return (
    <Card className="mb-4">
      <Section title={t`Sell licenses`}>
        {notForSale !== undefined ? (
          <p className="text-ui text-text-2">{notForSale}</p>
        ) : (
          <>
            <SellButton app={app} onSell={onSell} />
            <div>
              <h3 className="mb-2 text-ui font-medium">{t`Plan durations`}</h3>
              <ul aria-label={t`Plan durations`} className="flex flex-wrap gap-2">
                {plans.map((each) => (
                  <PlanTile key={each.plan} credits={app.credits} offer={each} onSell={onSell} />
                ))}
              </ul>
              {isShort && (
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

function SellButton({ app, onSell }: SellCardProps) {
  const { plan, subscriptionLevel } = saleStart(app)
  const cost = planPrice(app, plan)
  const length = daysText(Number(plan) * unitSeconds.days)
  const missing = missingCredits(cost ?? 0, app.credits)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        size="lg"
        variant="primary"
        icon={<KeyRound />}
        disabledReason={missing}
        onClick={() => onSell()}
        className="max-sm:w-full"
      >
        {plan === '' ? t`Sell a license` : t`Sell ${length}`}
      </Button>
      {plan !== '' && (
        <p className="text-ui text-text-2">{missing ?? saleText(levelLine(app, subscriptionLevel), cost ?? 0)}</p>
      )}
    </div>
  )
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
