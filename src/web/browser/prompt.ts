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
  let waiting: ((mayGoOn: boolean) => void)[] = []
  return {
    question,
    ask(next) {
      if (question.get() === undefined) question.set(next)
      return new Promise((resolve) => void waiting.push(resolve))
    },
    answer(mayGoOn) {
      const answered = waiting
      waiting = []
      question.set(undefined)
      for (const resolve of answered) resolve(mayGoOn)
    },
  }
}
