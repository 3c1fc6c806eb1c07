import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRequestKey } from '#web/form/use-request-key.ts'
import type { App } from '#web/session/session.ts'
import { type ImportRows, rowsOf } from '../batch-rows.rules.ts'
import { checkRows, type Choices, type ChosenFile, type Import, ImportRun } from './imports-data.ts'

interface ImportOf {
  app: App
  chosen: ChosenFile
  rows: ImportRows
  choices: Choices
}

interface RunOf {
  run: ImportRun
  rows: ImportRows
  choices: Choices
}

export type ImportStepsState = ReturnType<typeof useImportSteps>

/** The check of a file, its import, and the continuation of one that stopped. */
export function useImportSteps({ app, chosen, rows, choices }: ImportOf) {
  const { check, checkedRows } = useCheck(rows, choices)
  const [row, setRow] = useState<Import>()
  const { keyOf } = useRequestKey()
  const running = useRef<AbortController>(undefined)
  const stop = () => running.current?.abort()
  // Nothing shows an import whose page was left.
  useEffect(() => () => running.current?.abort(), [])
  const send = useMutation({
    mutationFn: (of: RunOf) => {
      running.current = new AbortController()
      const { signal } = running.current
      return of.run.run(of.rows, of.choices, { signal, keyOf, onProgress: setRow })
    },
  })
  return {
    checked: check.data,
    /** Number of rows that the running check has passed. */
    checkedRows,
    check,
    /** The import, once it has started. */
    row,
    isRunning: send.isPending,
    error: send.error,
    resume: (earlier: Import) => {
      const { columns, ...settings } = earlier.settings
      send.mutate({
        run: new ImportRun(app, chosen, earlier),
        rows: rowsOf(chosen.file, columns),
        choices: { ...settings, columns, levels: {} },
      })
    },
    /** Starts the import, or continues it if it has stopped. */
    start: () =>
      send.mutate(row && send.variables ? send.variables : { run: new ImportRun(app, chosen), rows, choices }),
    /** Stops the import after the batch that is being sent. */
    stop,
  }
}

/** A check is for one set of choices: changing them, or leaving, ends it and discards its result. */
function useCheck(rows: ImportRows, choices: Choices) {
  const [checkedRows, setCheckedRows] = useState(0)
  const checking = useRef<AbortController>(undefined)
  const check = useMutation({
    mutationFn: () => {
      setCheckedRows(0)
      checking.current = new AbortController()
      const { signal } = checking.current
      return checkRows(rows, choices, { signal, onProgress: setCheckedRows })
    },
  })
  const choicesText = JSON.stringify(choices)
  const forget = useEffectEvent(() => {
    checking.current?.abort()
    check.reset()
  })
  useEffect(() => () => forget(), [choicesText])
  return { check, checkedRows }
}
