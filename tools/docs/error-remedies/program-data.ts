import type { ProgramRemedies } from './program-calls.ts'

/** What a program reads, stores, and asks for: variables, files, messages, webhooks, names and passwords. */
export const programData = {
  USERNAME_INVALID: {
    calls: ['register'],
    cause:
      'The username has fewer than 3 or more than 64 characters, invisible characters, or spaces at its ends or in a row. The license stays unused.',
    remedy: "The customer chooses another name. Check the name in the program's form before you send it.",
  },
  PASSWORD_TOO_SHORT: {
    calls: ['register', 'change-password'],
    cause: 'The new password has fewer than 8 characters. Nothing was changed, and the license stays unused.',
    remedy: "The customer chooses a longer password. Check the length in the program's form before you send it.",
  },
  EMAIL_INVALID: {
    calls: ['register'],
    cause: 'The email address is not one that mail can be sent to. The license stays unused.',
    remedy:
      'The customer corrects the address or leaves it out: it is optional, but without it, nobody can reset the password by mail.',
  },
  MAIL_OFF: {
    calls: ['request-password-reset'],
    cause: 'The server sends no mail, so it cannot send a link for a new password.',
    remedy:
      "You set a new password for the customer on **Users** with **Edit**. An administrator turns on **Enable email** in **System Settings** and enters the mail server's data.",
  },
  VARIABLE_NOT_FOUND: {
    calls: ['variable', 'user-variable'],
    cause: 'The app, or the user, has no variable with this name. Upper and lower case count.',
    remedy:
      'Create the variable on **Variables**, or for a user under **Users**, or correct the name in the program. The program can create a variable of the user with `set-user-variable`.',
  },
  VARIABLE_REQUIRED: {
    calls: ['set-user-variable'],
    cause: 'The name or the value of the variable is empty.',
    remedy: 'Send both. To remove a variable, delete it on **Users** or with the seller API.',
  },
  VARIABLE_NAME_INVALID: {
    calls: ['set-user-variable'],
    cause:
      "The variable's name contains invisible characters, such as line ends or zero-width spaces, or is `__proto__`.",
    remedy: 'Use visible characters in the name, and put everything else into the value.',
  },
  VARIABLE_NAME_TOO_LONG: {
    calls: ['set-user-variable'],
    cause: "The variable's name is longer than the message allows.",
    remedy: 'Use a shorter name, and put the rest into the value.',
  },
  VARIABLE_DATA_TOO_LONG: {
    calls: ['set-user-variable'],
    cause: "The variable's value is longer than the message allows.",
    remedy: 'Store less, or divide the data among several variables. Large data belongs on a server of yours.',
  },
  VARIABLE_LIMIT_REACHED: {
    calls: ['set-user-variable'],
    cause: 'The user has as many variables as a user can have. Existing variables can still be changed.',
    remedy:
      'Delete variables that you no longer need on **Users**, or with `DELETE /users/{username}/variables/{name}` of the seller API. Put several values into one variable, for example as JSON.',
  },
  LOG_MESSAGE_REQUIRED: {
    calls: ['log'],
    cause: 'The message for the log is empty.',
    remedy: 'Send a text, or leave the call out when there is nothing to say.',
  },
  LOG_MESSAGE_TOO_LONG: {
    calls: ['log'],
    cause: 'The message for the log is longer than the message allows.',
    remedy: 'Shorten the message, for example to the last lines of an error, or send several messages.',
  },
  DOWNLOAD_NOT_FOUND: {
    calls: ['download'],
    cause: 'The app has no file with this ID, or the file is disabled.',
    remedy:
      'Copy the ID from **Downloads** into the program, and enable the file there. A file that was deleted and uploaded again has a new ID.',
  },
  WEBHOOK_NOT_FOUND: {
    calls: ['call-webhook'],
    cause: 'The app has no webhook with this ID, or your plan no longer includes webhooks.',
    remedy:
      "Copy the ID from **Webhooks** into the program. If it is right, look at your plan's features on **Profile**: with a plan that includes webhooks, the call works again.",
  },
  WEBHOOK_UNREACHABLE: {
    calls: ['call-webhook'],
    cause:
      "Your webhook's address gave no answer: its name doesn't resolve to a public address, the connection or its certificate failed, it redirects, or it took more than 10 seconds.",
    remedy:
      'Choose **Test** on **Webhooks** to see what happens, and look at the log of your service. The customer can only try again later.',
  },
  WEBHOOK_BUSY: {
    calls: ['call-webhook'],
    cause: 'As many calls of webhooks are in progress for your apps, or for this host, as the server makes at once.',
    remedy:
      'The program tries again in a moment. Answer faster in your service: every call occupies its place until the answer has arrived. The numbers are in [Limits](../limits.md).',
  },
  WEBHOOK_ANSWER_TOO_LARGE: {
    calls: ['call-webhook'],
    cause:
      'Your webhook answered with more bytes than a program can get, as the message says. Your service has done its work.',
    remedy: 'Answer with less, or offer large data as a file on **Downloads**.',
  },
} as const satisfies ProgramRemedies
