import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleHelp, OctagonX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { RejectionRule } from '#features/logs/web/rejection-rule.tsx'
import { errorPage } from '#web/navigation/links.ts'
import { useDialog } from '#web/navigation/use-dialog.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { letInOf } from './let-in.ts'
import { reasonText } from './reason-texts.ts'
import { DecisionFacts } from './rejection-decision.tsx'
import type { Decision, Diagnosis, Verdict } from './why-data.ts'
import { fixLink } from './why-texts.ts'
import { momentText } from './why-times.ts'

const LetInDialog = lazyDialog(() => import('./let-in-dialog.tsx'), 'LetInDialog')
const dialogName = 'let-in'

type Tone = Verdict['state'] | 'unknown'

const looks: Record<Tone, { edge: string; icon: ReactNode }> = {
  rejected: { edge: 'border-l-danger', icon: <OctagonX className="text-danger" /> },
  uncertain: { edge: 'border-l-warn', icon: <CircleHelp className="text-warn" /> },
  allowed: { edge: 'border-l-accent-edge', icon: <CircleCheck className="text-accent-text" /> },
  unknown: { edge: 'border-l-line-strong', icon: <CircleHelp className="text-text-2" /> },
}

/** The rule that decides, in one sentence, with the change that lets the customer in. */
export function Answer({ diagnosis, search }: { diagnosis: Diagnosis; search: string }) {
  const { rejection, verdict } = diagnosis
  const dialog = useDialog()
  const [fixed, setFixed] = useState('')
  const isFixed = fixed === search && verdict?.state === 'allowed'
  const tone = toneOf(diagnosis)
  const { edge, icon } = looks[tone]
  const stillAsked = rejection?.decision?.stillApplies === false ? null : rejection
  const code = verdict?.code || (stillAsked?.code ?? '')
  const decision = verdict?.decision ?? stillAsked?.decision ?? null
  const explained = decision ?? rejection?.decision
  const letIn = verdict?.state === 'rejected' && decision ? letInOf(code, decision) : undefined
  const help = errorPage(code)
  return (
    <section
      aria-label={t`Answer`}
      className={`flex gap-3 rounded-lg border border-l-3 border-line bg-surface-1 px-4 py-4 sm:px-5 ${edge}`}
    >
      <span aria-hidden="true" className="mt-px shrink-0 [&_svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0 grow">
        <div aria-live="polite">
          <Asked diagnosis={diagnosis} />
          <h2 className="text-section font-semibold wrap-anywhere">
            {isFixed ? t`Fixed: this customer can start now` : <Sentence diagnosis={diagnosis} />}
          </h2>
        </div>
        {code !== '' && !letIn && (
          <div className="mt-1 text-text-2">
            <RejectionRule code={code} />
          </div>
        )}
        {verdict?.state === 'uncertain' && (
          <p className="mt-1 text-ui text-text-2">{t`Whether the next try succeeds depends on what the program sends.`}</p>
        )}
        {explained && <DecisionFacts code={code || (rejection?.code ?? '')} decision={explained} isShort />}
        {decision && code !== '' && tone !== 'allowed' && (
          <div className="mt-3.5 flex flex-wrap items-center gap-2.5">
            {letIn && (
              <Button variant="primary" onClick={() => dialog.open(dialogName)}>
                {letIn.label}
              </Button>
            )}
            <FixLink code={code} decision={decision} isSecond={letIn !== undefined} />
            {letIn && help && (
              <a href={help} target="_blank" rel="noreferrer" className={buttonStyle({ variant: 'ghost' })}>
                {t`Cause and remedy`}
              </a>
            )}
          </div>
        )}
      </div>
      {letIn && dialog.name === dialogName && (
        <LetInDialog letIn={letIn} onDone={() => setFixed(search)} onClose={dialog.close} />
      )}
    </section>
  )
}

/** What was asked for, if the sentence below doesn't say it: the rejection of a support code, or whom an address named. */
function Asked({ diagnosis }: { diagnosis: Diagnosis }) {
  const { rejection, customer, ip, events } = diagnosis
  const timeZone = useTimeZone()
  if (!rejection) {
    if (ip === '' || customer === '') return null
    return <p className="mb-0.5 text-ui wrap-anywhere text-text-2">{t`Last rejected at this address: ${customer}`}</p>
  }
  const time = momentText(rejection.timestamp, timeZone)
  const reason = reasonText(rejection.code)
  const sharing = events.filter(({ requestId }) => requestId === rejection.requestId).length
  return (
    <p className="mb-0.5 text-ui text-text-2">
      <span translate="no" className="machine mr-2 text-text">
        {rejection.requestId}
      </span>
      {!isSaidBelow(diagnosis) && t`Rejected on ${time}: ${reason}`}
      {sharing > 1 && ` ${t`Other rejections have the same code; this is the newest.`}`}
    </p>
  )
}

/** Whether the sentence is about the rejection that was asked for: its rule still decides, or nothing else is known. */
function isSaidBelow({ rejection, verdict }: Diagnosis): boolean {
  if (!rejection) return false
  if (!verdict) return rejection.decision?.stillApplies !== false
  // The same rule may have begun to decide anew since then.
  return verdict.state !== 'allowed' && rejection.code === verdict.code && (verdict.since ?? 0) <= rejection.timestamp
}

function toneOf({ verdict, rejection }: Diagnosis): Tone {
  if (verdict) return verdict.state
  return rejection?.decision?.stillApplies === false ? 'allowed' : 'unknown'
}

function Sentence({ diagnosis }: { diagnosis: Diagnosis }) {
  const { verdict, rejection, ip, device, license, user } = diagnosis
  const timeZone = useTimeZone()
  if (!verdict) {
    if (rejection && isSaidBelow(diagnosis)) {
      const time = momentText(rejection.timestamp, timeZone)
      const reason = reasonText(rejection.code)
      return t`Rejected on ${time}: ${reason}`
    }
    if (rejection) return t`No longer rejected for this reason`
    if (ip !== '') return t`No program at this address is kept out now`
    if (device !== '') return t`No user of this machine is kept out now`
    return license || user ? null : t`No license or user has this name now`
  }
  const { state, code, since } = verdict
  if (state === 'allowed') return t`Nothing keeps this customer out now`
  const reason = reasonText(code)
  if (since === null) return t`Rejected: ${reason}`
  const isAsked = isSaidBelow(diagnosis)
  const time = momentText(isAsked && rejection ? rejection.timestamp : since, timeZone)
  if (isAsked) return t`Rejected on ${time}: ${reason}`
  return state === 'rejected' ? t`Rejected since ${time}: ${reason}` : t`Last rejected on ${time}: ${reason}`
}

interface FixLinkProps {
  code: string
  decision: Decision
  /** Beside a button that does it right here. */
  isSecond: boolean
}

function FixLink({ code, decision, isSecond }: FixLinkProps) {
  // The dialog of the button resets it.
  const link = fixLink(isSecond && decision.fix === 'hwid' ? { ...decision, fix: 'user' } : decision, code)
  if (!link) return null
  return (
    <Link
      to={link.to}
      search={link.search}
      state={(state) => ({ ...state, ...(link.user && { selectedUser: link.user }) })}
      className={buttonStyle({ variant: isSecond ? 'ghost' : 'secondary' })}
    >
      {link.label}
    </Link>
  )
}
