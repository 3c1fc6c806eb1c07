/* Compiled as C: the header must not need C++. */
#include <stdio.h>
#include <string.h>

#include "signet/signet.h"

/* Returns 0 if everything is as documented, otherwise the number of the line. */
int run_c_program(void) {
  signet_client* client = (signet_client*)&client;
  signet_error* error = NULL;
  size_t length = 0;
  signet_options* options = signet_options_new();
  if (options == NULL) return __LINE__;
  if (signet_options_set_owner_id(options, "Ab3dE6gH1j", SIGNET_NUL_TERMINATED) != SIGNET_OK) return __LINE__;
  if (signet_options_set_language(options, "es-MX", 2) != SIGNET_OK) return __LINE__;
  if (signet_options_set_owner_id(NULL, "", 0) != SIGNET_CODE_INVALID_CONFIGURATION) return __LINE__;
  if (signet_options_set_app_name(options, NULL, 5) != SIGNET_CODE_INVALID_CONFIGURATION) return __LINE__;

  if (signet_client_new(options, &client, &error) != SIGNET_CODE_INVALID_CONFIGURATION) return __LINE__;
  if (client != NULL || error == NULL) return __LINE__;
  if (signet_error_code(error) != SIGNET_CODE_INVALID_CONFIGURATION) return __LINE__;
  if (strcmp(signet_error_code_name(error), "INVALID_CONFIGURATION") != 0) return __LINE__;
  if (strlen(signet_error_message(error, &length)) != length || length == 0) return __LINE__;
  if (strcmp(signet_error_customer_message(error, NULL),
             signet_customer_message("INVALID_CONFIGURATION", SIGNET_NUL_TERMINATED, "es", 2, NULL)) != 0) {
    return __LINE__;
  }
  if (signet_error_status(error) != 0 || signet_error_is_temporary(error)) return __LINE__;
  if (signet_error_request_id(error, &length) != NULL || length != 0) return __LINE__;
  if (signet_error_retry_after_seconds(error) >= 0) return __LINE__;
  signet_error_free(error);
  signet_options_free(options);

  if (signet_client_new(NULL, &client, NULL) != SIGNET_CODE_INVALID_CONFIGURATION) return __LINE__;
  if (signet_heartbeat(NULL, NULL, NULL) != SIGNET_CODE_MALFORMED_REQUEST) return __LINE__;
  if (signet_is_valid(NULL) || signet_lost(NULL) != NULL || signet_current_session(NULL) != NULL) return __LINE__;
  signet_cancel(NULL);
  signet_close(NULL);
  signet_client_free(NULL);
  signet_options_free(NULL);
  signet_error_free(NULL);
  signet_session_free(NULL);
  signet_text_free(NULL);
  return strcmp(signet_version(), SIGNET_VERSION) == 0 ? 0 : __LINE__;
}
