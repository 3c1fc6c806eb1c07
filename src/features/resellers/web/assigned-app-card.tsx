import { t } from '@lingui/core/macro'
import { Check, ChevronDown, Circle, Coins, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { LeaveQuestion } from '#web/ui/leave-question.tsx'
import { besideInput } from '#web/ui/number-field.tsx'
import { configuredParts, hasLevels, noLevel } from '../resellers.rules.ts'
import { CreditsInput, PlanBoard } from './plan-board.tsx'
import type { AssignedApp, Reseller } from './resellers-data.ts'
import { type AppConfig, type AppConfigEditor, type SaveState, useAppConfig } from './use-app-config.ts'

interface CardProps {
  reseller: Reseller
  app: AssignedApp
  plans: readonly string[]
  isOpen: boolean
  onToggle: () => void
  /** Opens a dialog of the page. */
  open: (name: 'credits' | 'remove-app' | 'custom-plan', row: string) => void
}

/** One app of a reseller: credits, plans with costs, levels. Collapsed, it shows what is set and what is missing. */
export function AssignedAppCard({ reseller, app, plans, isOpen, onToggle, open }: CardProps) {
  const id = useId()
  const editor = useAppConfig(reseller, app)
  const { config, saved, change, state, saveNow } = editor
  const { appName } = app
  /** The dialog works on what is stored. */
  const openSaved: CardProps['open'] = (name, row) => {
    saveNow()
    open(name, row)
  }
  return (
    <li className="rounded-lg border border-line bg-surface-1">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
        <h3 className="min-w-0 grow">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={onToggle}
            className="flex w-full min-w-0 items-center gap-2 rounded-sm text-left text-section font-semibold pointer-coarse:min-h-11"
          >
            <ChevronDown className={`size-4 shrink-0 text-text-2 transition-transform ${isOpen ? '' : '-rotate-90'}`} />
            <span translate="no" title={appName} className="min-w-0 truncate">
              {appName}
            </span>
          </button>
        </h3>
        <Configured config={config} />
      </div>
      <LeaveQuestion hasEdits={() => state.kind === 'failed'} changes={appName} />
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <div className="flex flex-col gap-5 border-t border-line px-4 py-4">
            <div className="flex items-start gap-3 max-sm:flex-col">
              <CreditsInput
                label={t`Credits`}
                value={config.credits}
                onChange={(credits) => change({ credits })}
                onClear={() => change({ credits: saved.credits })}
              />
              <Button
                icon={<Coins />}
                onClick={() => openSaved('credits', appName)}
                className={`max-sm:mt-0 ${besideInput}`}
              >{t`Add credits, history`}</Button>
            </div>
            <PlanBoard appName={appName} plans={plans} editor={editor} onNewPlan={() => open('custom-plan', appName)} />
            <Levels app={app} editor={editor} />
            <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
              <Saved state={state} onRetry={saveNow} />
              <Button
                size="sm"
                variant="danger"
                icon={<Trash2 />}
                onClick={() => openSaved('remove-app', appName)}
                className="ml-auto"
              >{t`Remove app`}</Button>
            </div>
          </div>
        )}
      </div>
    </li>
  )
}

/** 'N/3 configured': informational, never blocks. */
function Configured({ config }: { config: AppConfig }) {
  const { credits, allowedPlans, allowedSubscriptions } = config
  const parts = configuredParts(credits, { allowedPlans, allowedLevels: allowedSubscriptions })
  const steps = [
    [t`Credits`, credits > 0],
    [t`Plans`, allowedPlans.length > 0],
    [t`Levels`, hasLevels(allowedSubscriptions)],
  ] as const
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-meta text-text-2">
      {steps.map(([name, isDone]) => (
        <span key={name} className={`flex items-center gap-1 ${isDone ? 'text-accent-text' : 'text-text-2'}`}>
          {isDone ? (
            <Check role="img" aria-label={t({ message: 'Done', context: 'step' })} className="size-3.5" />
          ) : (
            <Circle role="img" aria-label={t`Missing`} className="size-3" />
          )}
          {name}
        </span>
      ))}
      <span className="font-medium text-text tabular-nums">{t`${parts}/3 configured`}</span>
    </div>
  )
}

function Levels({ app, editor: { config, change } }: { app: AssignedApp; editor: AppConfigEditor }) {
  const { allowedSubscriptions } = config
  const levels = Object.entries(app.subscriptions).map(([level, { name }]) => ({ level: Number(level), name }))
  const toggle = (level: number) => {
    const others = allowedSubscriptions.filter((each) => each !== level && each !== noLevel)
    const next = allowedSubscriptions.includes(level) ? others : [...others, level]
    change({ allowedSubscriptions: next.toSorted((one, other) => one - other) })
  }
  return (
    <fieldset>
      <legend className="mb-2 text-ui font-medium">{t`Allowed subscription levels`}</legend>
      {levels.length === 0 ? (
        <p className="text-ui text-text-2">{t`This app has no subscriptions yet.`}</p>
      ) : (
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {levels.map(({ level, name }) => (
            <CheckboxField
              key={level}
              label={t`Level ${level}: ${name}`}
              checked={allowedSubscriptions.includes(level)}
              onChange={() => toggle(level)}
            />
          ))}
        </div>
      )}
      {allowedSubscriptions.includes(noLevel) && (
        <p className="mt-2 text-meta text-text-2">{t`The selected levels were deleted, so the reseller can't sell any.`}</p>
      )}
      {allowedSubscriptions.length === 0 && (
        <p className="mt-2 text-meta text-text-2">
          {t`When no subscription levels are selected, the reseller may use all levels by default.`}
        </p>
      )}
    </fieldset>
  )
}

function Saved({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const timeZone = useTimeZone()
  return (
    <div role="status" className="flex min-h-7 flex-wrap items-center gap-2 text-ui text-text-2">
      {state.kind === 'none' && t`Changes save automatically.`}
      {state.kind === 'saving' && t`Saving…`}
      {state.kind === 'saved' && (
        <>
          <Check aria-hidden="true" className="size-4 text-accent-text" />
          <SavedAt text={dateTimeText(state.at, timeZone)} />
          <Button size="sm" variant="ghost" onClick={state.undo}>{t`Undo`}</Button>
        </>
      )}
      {state.kind === 'failed' && (
        <>
          <span className="text-danger">{t`Failed to update configuration`}</span>
          <Button size="sm" onClick={onRetry}>{t`Retry`}</Button>
        </>
      )}
    </div>
  )
}

const SavedAt = ({ text }: { text: string }) => <span title={text}>{t`Saved`}</span>
