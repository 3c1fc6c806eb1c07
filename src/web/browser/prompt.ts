import { createStore, type Store } from './store.ts'

/** A single prompt shared by all calls that wait for its result. */
export interface Prompt<Q> {
  /** The open prompt. */
  question: Store<Q | undefined>
  /** Resolves with whether the call may continue. */
  ask: (question: Q) => Promise<boolean>
  answer: (mayGoOn: boolean) => void
}

export function createPrompt<Q>(): Prompt<Q> {
  const question = createStore<Q | undefined>(undefined)
  const waiting: ((mayGoOn: boolean) => void)[] = []
  return {
    question,
    ask(next) {
      question.set(question.get() ?? next)
      return new Promise((resolve) => void waiting.push(resolve))
    },
    answer(mayGoOn) {
      question.set(undefined)
      for (const resolve of waiting.splice(0)) resolve(mayGoOn)
    },
  }
}
