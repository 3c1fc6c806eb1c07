/** Generated from the contracts at build time (`tools/seller-calls-module.ts`): the calls that a seller key can make. */
declare module 'virtual:seller-calls' {
  import type { SellerCall } from './seller-call.ts'
  export const sellerCalls: readonly SellerCall[]
}
