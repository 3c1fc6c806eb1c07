/*
 * The C interface, as a binding to another language uses it.
 *
 *   SIGNET_SERVER_URL=… SIGNET_OWNER_ID=… SIGNET_APP_NAME=… SIGNET_VERIFICATION_KEY=… SIGNET_SEALING_KEY=… \
 *   signet_plain_c LICENSE-KEY
 */
#include <signet/signet.h>
#include <stdio.h>
#include <stdlib.h>

typedef signet_code(SIGNET_CALL* setter)(signet_options*, const char*, size_t);

static void set_from_environment(signet_options* options, setter set, const char* variable) {
  const char* value = getenv(variable);
  if (value != NULL) set(options, value, SIGNET_NUL_TERMINATED);
}

static void SIGNET_CALL on_lost(const signet_error* error, void* user_data) {
  (void)user_data;
  printf("The license is lost: %s\n", signet_error_customer_message(error, NULL));
}

static int fail(signet_error* error) {
  int status = 1;
  if (error != NULL) {
    printf("%s\n", signet_error_customer_message(error, NULL));
    fprintf(stderr, "%s: %s\n", signet_error_code_name(error), signet_error_message(error, NULL));
    if (signet_error_status(error) != 0) status = 3;
  }
  signet_error_free(error);
  return status;
}

static int run(signet_client* client, const char* key) {
  signet_session* session = NULL;
  signet_error* error = NULL;
  if (signet_license(client, key, SIGNET_NUL_TERMINATED, &session, &error) != SIGNET_OK) return fail(error);
  printf("Welcome, %s.\n", signet_session_username(session, NULL));
  for (size_t at = 0; at < signet_session_subscription_count(session); ++at) {
    printf("%s, level %lld\n", signet_session_subscription_name(session, at, NULL),
           (long long)signet_session_subscription_level(session, at));
  }
  signet_session_free(session);
  return signet_is_valid(client) ? 0 : 3;
}

int main(int count, char** arguments) {
  signet_client* client = NULL;
  signet_error* error = NULL;
  signet_code code;
  int result;
  signet_options* options = signet_options_new();
  if (options == NULL || count < 2) {
    fprintf(stderr, "usage: signet_plain_c LICENSE-KEY\n");
    return 2;
  }
  set_from_environment(options, signet_options_set_owner_id, "SIGNET_OWNER_ID");
  set_from_environment(options, signet_options_set_app_name, "SIGNET_APP_NAME");
  set_from_environment(options, signet_options_set_server_url, "SIGNET_SERVER_URL");
  set_from_environment(options, signet_options_set_verification_key, "SIGNET_VERIFICATION_KEY");
  set_from_environment(options, signet_options_set_sealing_key, "SIGNET_SEALING_KEY");
  set_from_environment(options, signet_options_set_hwid, "SIGNET_HWID");
  signet_options_set_version(options, "1.0", SIGNET_NUL_TERMINATED);
  signet_options_set_callbacks(options, on_lost, NULL, NULL, NULL, NULL);
  code = signet_client_new(options, &client, &error);
  signet_options_free(options);
  if (code != SIGNET_OK) return fail(error);

  result = run(client, arguments[1]);
  signet_client_free(client);
  return result;
}
