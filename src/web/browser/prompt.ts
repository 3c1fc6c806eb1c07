import { createStore, type Store } from './store.ts'

/** One question to the person at the screen, shared by all calls that wait for its answer. */
export interface Prompt<Q> {
  /** The open question. */
  question: Store<Q | undefined>
  /** Resolves with whether the call may go on. */
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
