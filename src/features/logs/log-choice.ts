import { machineOf } from '#features/users/machines.ts'
import type { AppScope } from '#server/actors.ts'
import type { Services } from '#server/services.ts'
import type { LogChoice, LogFilter } from './logs.reads.ts'

/** A filter with the hashes of the hardware ids in it. */
export async function choiceOf(services: Services, app: AppScope, filter: LogFilter): Promise<LogChoice> {
  const hashOf = async (text: string | undefined) =>
    text?.trim() ? (await machineOf(services, app, text.trim()))?.hwidHash : undefined
  return { ...filter, appId: app.id, searchedHash: await hashOf(filter.search), hwidHash: await hashOf(filter.hwid) }
}
