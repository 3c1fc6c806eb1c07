namespace Signet.Client;

/// <summary>The language of <see cref="SignetException.CustomerMessage"/>.</summary>
public enum SignetLanguage
{
    /// <summary>English.</summary>
    English = 0,

    /// <summary>Portuguese.</summary>
    Portuguese = 1,

    /// <summary>Spanish.</summary>
    Spanish = 2,
}
