namespace Signet.Client;

/// <summary>Gives errors their sentence for customers.</summary>
internal sealed class CustomerMessages(SignetOptions options)
{
    private readonly SignetLanguage _language = options.Language;
    private readonly System.Func<SignetException, string?>? _own = options.CustomerMessages;

    internal SignetException Translate(SignetException error)
    {
        // The vendor's function can read the sentence of the package.
        error.CustomerMessage = SignetMessages.Find(error.CodeText, _language) ?? error.Message;
        if (_own?.Invoke(error) is { Length: > 0 } sentence)
        {
            error.CustomerMessage = sentence;
        }

        return error;
    }
}
