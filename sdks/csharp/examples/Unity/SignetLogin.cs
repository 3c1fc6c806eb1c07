using System;
using System.Threading.Tasks;
using Signet.Client;
using UnityEngine;
using UnityEngine.Events;

/// <summary>
/// Signs in with a license key and keeps the session while the scene is loaded. Connect a button to
/// <see cref="SignIn"/> and a text to <see cref="onMessage"/>.
/// </summary>
public sealed class SignetLogin : MonoBehaviour
{
    [Header("From App Settings in the dashboard")]
    [SerializeField] private string ownerId = "";
    [SerializeField] private string appName = "";
    [SerializeField] private string version = "";
    [SerializeField] private string serverUrl = "https://signet.example.com";
    [SerializeField] private string verificationKey = "";
    [SerializeField] private string sealingKey = "";

    [Header("Events")]
    public UnityEvent onSignedIn = new UnityEvent();
    public UnityEvent onLost = new UnityEvent();
    public StringEvent onMessage = new StringEvent();

    private SignetClient client;

    /// <summary>Whether the game may go on. Check it where the valuable work is done.</summary>
    public bool IsValid { get { return client != null && client.IsValid; } }

    /// <summary>For a button: signs in with what the player typed.</summary>
    public async void SignIn(string key)
    {
        await SignInAsync(key);
    }

    public async Task SignInAsync(string key)
    {
        try
        {
            // Created on Unity's main thread, so the callbacks run there too.
            client = client ?? new SignetClient(CreateOptions());
            SignetSession session = await client.LicenseAsync(key);
            onMessage.Invoke("Welcome, " + session.Username + ".");
            onSignedIn.Invoke();
        }
        catch (SignetException error)
        {
            onMessage.Invoke(error.CustomerMessage);
        }
        catch (OperationCanceledException)
        {
            // The scene was unloaded during the sign-in.
        }
    }

    private void OnDestroy()
    {
        if (client != null)
        {
            // Doesn't wait: unloading a scene must not freeze the game.
            _ = client.CloseAsync();
            client = null;
        }
    }

    private SignetOptions CreateOptions()
    {
        return new SignetOptions
        {
            OwnerId = ownerId,
            AppName = appName,
            Version = version,
            ServerUrl = serverUrl,
            VerificationKey = verificationKey,
            SealingKey = sealingKey,
            OnLost = error =>
            {
                onMessage.Invoke(error.CustomerMessage);
                onLost.Invoke();
            },
            OnInterrupted = error => onMessage.Invoke("The license server can't be reached. Trying again…"),
            OnResumed = () => onMessage.Invoke("Connected again."),
        };
    }

    [Serializable]
    public sealed class StringEvent : UnityEvent<string>
    {
    }
}
