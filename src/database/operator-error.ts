/** An error whose message tells the operator what is wrong and what to do; printed as one line, without a stack. */
export class OperatorError extends Error {}
