#include <signet/signet.h>
#include <stdio.h>

int main(void) {
  signet_client* client = NULL;
  signet_options* options = signet_options_new();
  const signet_code code = signet_client_new(options, &client, NULL);
  signet_options_free(options);
  printf("%s\n", signet_version());
  return code == SIGNET_CODE_INVALID_CONFIGURATION && client == NULL ? 0 : 1;
}
