import type { Feature } from '#server/http/endpoint.ts'
import { diagnose } from './api/diagnose.ts'
import { diagnosisContract } from './diagnosis.contract.ts'

/** Explains why a program was rejected. */
export const diagnosis: Feature = { name: 'diagnosis', contract: diagnosisContract, endpoints: [diagnose] }
