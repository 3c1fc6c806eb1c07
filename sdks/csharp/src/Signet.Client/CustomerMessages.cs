using System;
using System.Diagnostics;

namespace Signet.Client;

/// <summary>Gives errors their sentence for customers.</summary>
internal sealed class CustomerMessages(SignetOptions options)
{
    private readonly SignetLanguage _language = options.Language;
    private readonly Func<SignetException, string?>? _own = options.CustomerMessages;

    internal SignetException Translate(SignetException error)
    {
        // The vendor's function can read the sentence of the package.
        error.CustomerMessage = SignetMessages.Find(error.CodeText, _language) ?? error.Message;
        if (OwnSentence(error) is { Length: > 0 } sentence)
        {
            error.CustomerMessage = sentence;
        }

        return error;
    }

    /// <summary>What the vendor's function throws must neither replace the error nor hold it back.</summary>
    private string? OwnSentence(SignetException error)
    {
        try
        {
            return _own?.Invoke(error);
        }
        catch (Exception failure)
        {
            Trace.TraceError($"Signet: CustomerMessages failed: {failure}");
            return null;
        }
    }
}
