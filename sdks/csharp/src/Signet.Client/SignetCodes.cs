using System;
using System.Collections.Generic;

namespace Signet.Client;

/// <summary>What an error says about the license.</summary>
internal enum Verdict
{
    /// <summary>Ends the session, in a heartbeat, a renewal, and any call made inside the session.</summary>
    Lost,

    /// <summary>Is about what was asked; ends the session only in a heartbeat or a renewal.</summary>
    Request,

    /// <summary>Says nothing about the license; ask again later.</summary>
    Temporary,

    /// <summary>Nobody knows who answered, so it says nothing either.</summary>
    Unverified,
}

internal sealed class CodeEntry(SignetCode code, string text, Verdict verdict, string en, string pt, string es)
{
    internal SignetCode Code { get; } = code;

    internal string Text { get; } = text;

    internal Verdict Verdict { get; } = verdict;

    internal string Message(SignetLanguage language) => language switch
    {
        SignetLanguage.Portuguese => pt,
        SignetLanguage.Spanish => es,
        _ => en,
    };
}

internal static partial class SignetCodes
{
    private static readonly Dictionary<string, CodeEntry> ByText = CreateIndex();

    internal static CodeEntry? Find(string text) => ByText.TryGetValue(text, out CodeEntry? entry) ? entry : null;

    internal static string TextOf(SignetCode code)
    {
        foreach (CodeEntry entry in All)
        {
            if (entry.Code == code)
            {
                return entry.Text;
            }
        }

        throw new ArgumentOutOfRangeException(nameof(code));
    }

    private static Dictionary<string, CodeEntry> CreateIndex()
    {
        Dictionary<string, CodeEntry> index = new(StringComparer.Ordinal);
        foreach (CodeEntry entry in All)
        {
            index[entry.Text] = entry;
        }

        return index;
    }
}
