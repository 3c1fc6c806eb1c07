import type { Scenario } from '../scenario.ts'
import { brokenDownloadScenarios } from './broken-downloads.ts'
import { changedScenarios } from './changed.ts'
import { concurrentSignInScenarios } from './concurrent-sign-ins.ts'
import { configurationScenarios } from './configuration.ts'
import { customerScenarios } from './customers.ts'
import { hostileBodyScenarios } from './hostile-bodies.ts'
import { hostileDownloadScenarios } from './hostile-downloads.ts'
import { hostileHttpScenarios } from './hostile-http.ts'
import { hostileSignatureScenarios } from './hostile-signatures.ts'
import { hostileTimeScenarios } from './hostile-times.ts'
import { hostileTlsScenarios } from './hostile-tls.ts'
import { lossScenarios } from './losses.ts'
import { renewalScenarios } from './renewals.ts'
import { replacedRootScenarios } from './replaced-roots.ts'
import { rightScenarios } from './right.ts'
import { sleepingScenarios } from './sleeping.ts'
import { slowScenarios } from './slow.ts'
import { unusualHttpScenarios } from './unusual-http.ts'

export const scenarios: readonly Scenario[] = [
  ...rightScenarios,
  ...unusualHttpScenarios,
  ...hostileSignatureScenarios,
  ...hostileTimeScenarios,
  ...hostileHttpScenarios,
  ...hostileTlsScenarios,
  ...hostileBodyScenarios,
  ...hostileDownloadScenarios,
  ...slowScenarios,
  ...changedScenarios,
  ...brokenDownloadScenarios,
  ...renewalScenarios,
  ...replacedRootScenarios,
  ...sleepingScenarios,
  ...lossScenarios,
  ...concurrentSignInScenarios,
  ...customerScenarios,
  ...configurationScenarios,
]
