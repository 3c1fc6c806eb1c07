using System;

namespace Signet.Client;

/// <summary>The sentences for customers that this package comes with.</summary>
public static class SignetMessages
{
    /// <summary>
    /// The sentence for a code such as <c>LICENSE_BANNED</c>, or null if this version doesn't know the code.
    /// </summary>
    /// <param name="codeText">The code as the server sends it.</param>
    /// <param name="language">The customer's language.</param>
    public static string? Find(string codeText, SignetLanguage language)
    {
        _ = codeText ?? throw new ArgumentNullException(nameof(codeText));
        return SignetCodes.Find(codeText)?.Message(language);
    }
}
