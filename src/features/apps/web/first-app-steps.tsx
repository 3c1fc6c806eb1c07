import { t } from '@lingui/core/macro'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

type StepState = 'done' | 'now' | 'later'

function Step({ state, title, note }: { state: StepState; title: string; note: string }) {
  const mark = { done: 'ok', now: '··', later: '  ' }[state]
  const spoken = { done: t({ message: 'Done', context: 'step' }), now: t`Now`, later: t`Later` }[state]
  return (
    <li className="flex gap-3" aria-current={state === 'now' ? 'step' : undefined}>
      <span
        aria-hidden="true"
        className={`machine whitespace-pre ${state === 'later' ? 'text-text-3' : 'text-accent-text'}`}
      >
        [{mark}]
      </span>
      <VisuallyHidden>{spoken}: </VisuallyHidden>
      <span className="min-w-0">
        <span className={`machine block ${state === 'later' ? 'text-text-2' : 'text-text'}`}>{title}</span>
        <span className="block text-meta text-text-3">{note}</span>
      </span>
    </li>
  )
}

/** The steps until the first program runs, as a boot log that progresses. */
export function FirstAppSteps({ named, creating }: { named: boolean; creating: boolean }) {
  const soon: StepState = creating ? 'now' : 'later'
  return (
    <section
      aria-labelledby="first-app-steps"
      className="corner-ticks rounded-lg border border-line bg-surface-0 p-4 md:p-[18px]"
    >
      <h2 id="first-app-steps" className="mb-3 text-section font-semibold">{t`Steps to a running program`}</h2>
      <ol className="flex flex-col gap-2.5">
        <Step state="done" title={t`account ready`} note={t`You are signed in.`} />
        <Step
          state={named ? 'done' : 'now'}
          title={t`app named`}
          note={t`The only field to fill in; you can change it later.`}
        />
        <Step state={soon} title={t`keys generated`} note={t`The app gets its own signing keys.`} />
        <Step state={soon} title={t`subscription level 1, Basic`} note={t`A license needs a level to grant.`} />
        <Step state="later" title={t`first license`} note={t`You create it on the Licenses page.`} />
        <Step
          state="later"
          title={t`program connected`}
          note={t`Paste a few lines; App Settings shows when it starts.`}
        />
      </ol>
    </section>
  )
}
