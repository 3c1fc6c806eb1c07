import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { announce } from '#web/browser/announce.ts'
import { createStore, useStore } from '#web/browser/store.ts'
import { readStored, writeStored } from '#web/browser/stored.ts'
import type { App } from '#web/session/session.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { LiveDot } from '#web/ui/live-dot.tsx'
import { type FirstStep, useFirstSteps } from './first-steps.ts'
import { StepMark, type StepState } from './step-mark.tsx'

const storedHidden = 'first-steps-hidden'
const hiddenStore = createStore(readStored(storedHidden) !== undefined)

function setHidden(isHidden: boolean) {
  writeStored(storedHidden, isHidden ? '1' : undefined)
  hiddenStore.set(isHidden)
}

/** The steps to the first running program: in the rail, or on a page where there is none. */
export function Checklist({ placement }: { placement: 'rail' | 'page' }) {
  const steps = useFirstSteps()
  const isHidden = useStore(hiddenStore)
  const app = useSelectedApp()
  const hasAnswered = hasProgramAnswered(app)
  const id = useId()
  useAnswerAnnounced(app)
  if (!steps) return null
  const done = steps.filter(({ isDone }) => isDone).length
  const now = steps.findIndex(({ isDone }) => !isDone)
  const inRail = placement === 'rail'
  const stateOf = (step: FirstStep, index: number): StepState =>
    step.isDone ? 'done' : index === now ? 'now' : 'later'
  return (
    <section
      aria-labelledby={id}
      className={`corner-ticks rounded-lg border border-line bg-surface-1 ${inRail ? 'p-2' : 'mb-4 p-4 pb-3'}`}
    >
      <h2 id={id}>
        <button
          type="button"
          aria-expanded={!isHidden}
          onClick={() => setHidden(!isHidden)}
          className={`flex w-full items-center gap-2 rounded-sm text-left font-semibold pointer-coarse:min-h-11 ${inRail ? 'min-h-6 px-1 text-ui' : 'text-section'}`}
        >
          <span className="min-w-0 grow">
            {hasAnswered ? t`Your program is connected` : t`Steps to a running program`}
          </span>
          <span className="shrink-0 text-meta font-normal text-text-2 tabular-nums">
            {done}/{steps.length}
          </span>
          <ChevronDown
            aria-hidden="true"
            className={`size-4 shrink-0 text-text-2 transition-transform ${isHidden ? '-rotate-90' : ''}`}
          />
        </button>
      </h2>
      {!isHidden && (
        <ol
          className={inRail ? 'mt-1' : 'mt-2 grid grid-cols-1 gap-x-6 gap-y-1.5 min-[640px]:grid-cols-2 xl:grid-cols-5'}
        >
          {steps.map((step, index) => (
            <StepLine key={step.id} step={step} state={stateOf(step, index)} inRail={inRail} />
          ))}
        </ol>
      )}
    </section>
  )
}

const hasProgramAnswered = (app: App | undefined): boolean => app !== undefined && app.lastInitAt !== null

function useAnswerAnnounced(app: App | undefined) {
  const hasAnswered = hasProgramAnswered(app)
  const appId = app?.appId
  const before = useRef({ appId, hasAnswered })
  useEffect(() => {
    const isFirst = hasAnswered && !before.current.hasAnswered && before.current.appId === appId
    before.current = { appId, hasAnswered }
    // The Connect page says more about it.
    const isTold = document.querySelector('[data-tells-first-run]') !== null
    if (isFirst && !isTold) announce(t`The first program has started`)
  }, [appId, hasAnswered])
}

function StepLine({ step, state, inRail }: { step: FirstStep; state: StepState; inRail: boolean }) {
  const { id, title, to, search, note } = step
  const color = state === 'later' ? 'text-text-2' : 'text-text'
  const isAnswer = id === 'program'
  return (
    <li aria-current={state === 'now' ? 'step' : undefined}>
      <Link
        to={to}
        search={search}
        className={`flex gap-2 rounded-md hover:bg-surface-2 ${inRail ? 'px-1 py-0.5 text-meta pointer-coarse:min-h-11 pointer-coarse:items-center' : '-mx-1.5 px-1.5 py-1 text-ui'}`}
      >
        <StepMark state={state} />
        <span className="min-w-0 grow">
          <span className={`machine flex items-center gap-2 ${color}`}>
            <span className="min-w-0">{title}</span>
            {isAnswer && state !== 'later' && <LiveDot on={state === 'done'} />}
          </span>
          {!inRail && <span className="block truncate text-meta text-text-2">{note}</span>}
        </span>
      </Link>
    </li>
  )
}
