using System;
using System.Collections.Generic;

namespace Signet.Client.Protocol;

/// <summary>A root key, and what was read with it; what was read with an earlier one is never used again.</summary>
internal sealed class TrustedRoot(byte[] key)
{
    private const int MaxCertificates = 16;
    private readonly object _lock = new();
    private readonly Dictionary<string, CertifiedKey> _read = new(StringComparer.Ordinal);

    internal byte[] Key { get; } = key;

    /// <summary>The signatures of root keys are verified once for each text.</summary>
    /// <exception cref="SignetException"><c>UNKNOWN_KEY</c></exception>
    internal CertifiedKey Read(string text)
    {
        lock (_lock)
        {
            if (_read.TryGetValue(text, out CertifiedKey? known))
            {
                return known;
            }
        }

        CertifiedKey certified = CertifiedKey.Read(text, Key);
        lock (_lock)
        {
            if (_read.Count >= MaxCertificates)
            {
                _read.Clear();
            }

            _read[text] = certified;
        }

        return certified;
    }
}
