import { endpoint } from '#server/http/endpoint.ts'
import { diagnose as diagnoseSubject } from '../diagnosis.actions.ts'
import { diagnosisContract } from '../diagnosis.contract.ts'
import { diagnosisReply } from '../diagnosis.reply.ts'

export const diagnose = endpoint(diagnosisContract.diagnose, {
  read: async ({ services, app, query }) => diagnosisReply(await diagnoseSubject(services, app, query.search)),
})
